/**
 * How two servents begin. In 0.4 one says {@code GNUTELLA CONNECT/0.4} and the other {@code GNUTELLA OK}, each followed
 * by an empty line. In 0.6 both say more about themselves, in headers like those of HTTP, and there are three blocks of
 * lines: the one that has connected says {@code GNUTELLA CONNECT/0.6}, the other {@code GNUTELLA/0.6 200 OK}, and the
 * first one again {@code GNUTELLA/0.6 200 OK}. Who does not want to goes on with another code than 200, and closes.
 *
 * <p>Both sides are pure: they take bytes, tell what is to be sent, and know no sockets.
 */
package dev.sluice.samples.gnutella.handshake;
