/**
 * Haboob, the web server of the SEDA paper (5.1): another driver of the web sample, with the same protocol, root and
 * log. {@link dev.sluice.samples.haboob.Haboob} is the graph, and each of its stages a class with the paper's name.
 *
 * <p>HttpParse handles new connections, and has their protocol handlers parse the input. A complete request is an
 * {@link dev.sluice.samples.web.Exchange}, which goes from stage to stage until one of them has made the reply; it ends
 * in HttpSend. Until then its connection does nothing, and only the current stage accesses the exchange.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>A connection asks for each packet,</b> and only then receives. Requests that a client sends ahead of its
 * replies stay in the system and with the client, so at most a packet of each connection is in memory.
 * <li><b>A connection has one exchange.</b> So there are never more events in the graph than connections, and a queue
 * with space for that many never rejects one.
 * <li><b>Pages are made of blocks of one size.</b> The paper recycles buffers instead of leaving them to the collector;
 *     with one size every block fits, so evicting as much as is missing always helps.
 * <li><b>Replies being sent belong to the page cache's memory, too,</b> also a page that was made for one request. Slow
 *     clients can keep pages there, and then misses are refused; they cannot make the server grow.
 * <li><b>A page is compared with its file by one request a second,</b> in CacheMiss, where waiting for the disk is
 *     allowed; the others use the page in the meantime.
 * <li><b>CacheMiss opens files by the site's own rules</b> about links and versions, and gives the file I/O stage the
 *     open file. A name that is checked here and opened there could refer to another file by then.
 * <li><b>Uploads have a stage of their own,</b> which the paper does not need. The content of a PUT is written there,
 *     64 KiB at a time while it comes, and deleted if the rest does not come; the connection asks for no further packet
 *     meanwhile. In CacheMiss a write would block a thread that could serve reads.
 * <li><b>The bottleneck's cost is processor time.</b> With elapsed time, twenty threads on one processor would complete
 * twenty times as many requests.
 * </ul>
 */
package dev.sluice.samples.haboob;
