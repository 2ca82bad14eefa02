/** The program of the README, here so that it is compiled. */
package dev.sluice.samples.first;
