/** Where messages have come from, so that answers find the way back: tables whose size is fixed when they are made. */
package dev.sluice.samples.gnutella.routing;
