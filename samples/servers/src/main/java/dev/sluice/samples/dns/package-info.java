/**
 * A small name server in the manner of RFC 1035, over UDP: the Leader/Followers paper's case of a concurrent handle
 * (implementation activities 1.1 and 1.3). One datagram socket is received from by several threads at once, since each
 * call receives one whole query; so nothing is queued between threads, and a query is received, answered and sent by
 * the same one. The leader receives before it promotes a follower, so that no thread wakes for a query that is gone.
 *
 * <p>It is authoritative for one zone, from a master file (RFC 1035 section 5), or for the names of the hosts file. It
 * never queries other servers, keeps no state of its clients, and sends replies of at most 1232 bytes.
 *
 * <p>Protocol and I/O are apart: a {@code Responder} makes a reply of a query, both in buffers, and knows no sockets.
 * What is no query is dropped, so that no two servers can talk to each other for ever; what is a query and malformed
 * gets {@code FORMERR}.
 */
package dev.sluice.samples.dns;
