/**
 * A small name server (RFC 1035) over UDP: the Leader/Followers paper's case of a concurrent handle (implementation
 * activities 1.1 and 1.3). One datagram socket is received from by several threads at once, since each call receives
 * one whole query; so nothing is queued between threads, and a query is received, answered and sent by the same one.
 * The leader receives before it promotes a follower, so that no thread is woken for a query that has been received
 * already.
 *
 * <p>It is authoritative for one zone, from a master file (RFC 1035 section 5), or for the names of the hosts file. It
 * never queries other servers, keeps no state of its clients, and sends replies of at most 1232 bytes.
 *
 * <p>Protocol and I/O are separate: a {@code Responder} creates a reply to a query, both in buffers, and does not use
 * sockets. A message that is not a query is dropped, so that two servers cannot send messages to each other forever; a
 * malformed query gets {@code FORMERR}.
 */
package dev.sluice.samples.dns;
