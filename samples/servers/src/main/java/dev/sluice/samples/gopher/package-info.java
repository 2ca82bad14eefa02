/**
 * A Gopher server (RFC 1436) for the files below a directory: the protocol that shows that {@link
 * dev.sluice.samples.io} is a framework. It defines only the protocol, and contains no I/O.
 *
 * <p>A connection is one selector, one reply, and its end. Decisions, and why:
 * <ul>
 * <li><b>A selector is a path</b>, in UTF-8 and never encoded: nothing is decoded twice, or at all. What has a control
 *     character, a backslash or a dot segment names no file. Names that no selector can carry, with a tab or a line end
 *     in them, are not in menus either.
 * <li><b>Only text/plain and its like is text</b>, converted on its way: lines end with CRLF, a dot at the beginning of
 *     one is doubled, and a lone dot ends all of them. HTML and whatever else has a type of its own goes as it is.
 * <li><b>A file that goes as it is ends with the connection</b>, so a client could take one that was cut short for a
 *     whole one. Until the last octet is with the system the connection is one that closing resets.
 * <li><b>Menus name the address that the client has connected to</b>, unless {@code --name} says otherwise.
 * <li><b>What follows the first tab is ignored</b>: there is nothing to search, and a client that asks for Gopher+ this
 *     way is answered as an old one.
 * </ul>
 */
package dev.sluice.samples.gopher;
