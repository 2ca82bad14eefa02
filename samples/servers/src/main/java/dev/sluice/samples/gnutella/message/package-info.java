/**
 * Gnutella's messages, in buffers: their decoding from a stream, their formats, and those that a router creates. The
 * header is the protocol's (0.4, section "Descriptor Header"): 16 bytes of GUID, type, TTL, hops, and the length of
 * what follows, which is little-endian, as are ports; addresses are IPv4, in network order.
 *
 * <p>A message is kept as it came, in an array of its own, which is never changed: the same one is sent to many
 * neighbours, and only TTL and hops differ in what they get.
 */
package dev.sluice.samples.gnutella.message;
