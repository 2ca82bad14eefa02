/** Text that servers receive line by line, for those whose protocols have nothing else. */
package dev.sluice.samples.lines;
