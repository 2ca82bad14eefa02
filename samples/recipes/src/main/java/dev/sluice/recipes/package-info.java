/**
 * Short programs to begin with, one file each: what a user of the library writes first, with slow peers, failures and
 * the stop looked after. Each takes its port, where it has one, as its argument.
 */
package dev.sluice.recipes;
