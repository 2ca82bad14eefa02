/**
 * The list of demultiplexers, those for other systems included; each mechanism has a package of its own below this one.
 */
package dev.sluice.demultiplexers;
