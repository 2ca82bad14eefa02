/**
 * Text that servers receive line by line, for those whose protocols have nothing else. {@link
 * dev.sluice.samples.lines.HttpLine} is for all servers whose clients send lines: a browser is none of them.
 */
package dev.sluice.samples.lines;
