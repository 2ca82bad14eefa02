/** Routing tables of a fixed size, which map messages to their senders, so that answers can be sent back. */
package dev.sluice.samples.gnutella.routing;
