/**
 * The Reactor paper's distributed logging service, with the protocol that real clients speak: syslog, in the formats of
 * RFC 5424 and RFC 3164, over UDP and over TCP with both framings of RFC 6587.
 *
 * <p>Protocol and I/O are apart. {@link dev.sluice.samples.logging.SyslogFramer} cuts a stream into records, {@link
 * dev.sluice.samples.logging.SyslogParser} judges a record; neither knows of sockets. A {@code LoggingHandler} (the
 * paper's Logging Handler) and a {@code DatagramHandler} feed them, a {@code RecordCollector} gathers the lines of one
 * loop iteration, and a {@code LogWriter} writes them in a thread of its own, because writing waits for the disk.
 * Between the last two lies a bounded queue: when it is full, or memory lacks, nothing is received any more, and the
 * peers' own buffers fill up, until the writer has caught up.
 *
 * <p>Nothing holds back the senders of datagrams. They are taken in batches, out of a receive buffer that is large
 * enough for bursts, and on Linux what the system drops from it is counted and reported by a {@code DropReport}: each
 * datagram that reaches the socket is stored or counted. At the stop the socket is connected to itself before its last
 * read, so that none comes in between that and the close. What does not reach the socket is counted by the system for
 * all sockets together: datagrams for a port without one ({@code NoPorts} of {@code /proc/net/snmp}), and
 * those beyond {@code net.core.netdev_max_backlog} (second column of {@code /proc/net/softnet_stat}).
 *
 * <p>A datagram and an octet-counted record are one line of the file, whatever is in them; see {@code LogLine}. In a
 * stream that is framed by newlines a LF is the end of a record: a sender that relays messages of others that way must
 * escape it, because the server cannot tell which LF was theirs.
 *
 * <p>A stop loses as little as it can within its {@code GracePeriod}. The {@code LoggingAcceptor} takes in who waits in
 * the backlog, every source is read until nothing is there, and what is queued is written. A record that has arrived in
 * part is dropped with a warning, as is one that a broken connection cuts; only a client that ends its connection in
 * order may leave out the last newline, because such clients exist (RFC 6587 section 3.4.2). Records that a {@code
 * LogOutlet} does not take, a full disk or a reader that does not read, are counted, and make the exit code 1.
 *
 * <p>A web page can have a browser send lines to any port. A stream that begins with {@linkplain
 * dev.sluice.samples.lines.HttpLine HTTP} is closed before its first valid record is taken.
 *
 * <p>What clients can make the server hold on to is bounded: one partial record for each connection, and the numbers of
 * connections and of batches.
 */
package dev.sluice.samples.logging;
