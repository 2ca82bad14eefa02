/** The programs of the README and the guide, here so that they are compiled. */
package dev.sluice.samples.first;
