/** The programs of the README, here so that they are compiled. */
package dev.sluice.samples.first;
