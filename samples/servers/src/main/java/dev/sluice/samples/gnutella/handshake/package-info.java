/**
 * The handshake of two servents. In 0.4 one says {@code GNUTELLA CONNECT/0.4} and the other {@code GNUTELLA OK}, each
 * followed by an empty line. In 0.6 both say more about themselves, in headers like those of HTTP, and there are three
 * blocks of lines: the one that has connected says {@code GNUTELLA CONNECT/0.6}, the other {@code GNUTELLA/0.6 200 OK},
 * and the first one again {@code GNUTELLA/0.6 200 OK}. A side that refuses sends another code than 200, and closes.
 *
 * <p>Both sides are independent of sockets: they take bytes, and return the bytes to send.
 */
package dev.sluice.samples.gnutella.handshake;
