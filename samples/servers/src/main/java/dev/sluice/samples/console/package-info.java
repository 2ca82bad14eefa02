/** What commands that print more than a line have in common. */
package dev.sluice.samples.console;
