/**
 * The list of demultiplexers, including those for other systems; each mechanism has a package of its own beside this
 * one. A name may stand for two: a synchronous demultiplexer, and the emulation of an asynchronous one over it.
 */
package dev.sluice.demultiplexer.standard;
