/**
 * Haboob, the web server of the SEDA paper (5.1): one more driver of the web sample, whose protocol, root and log it
 * has. {@link dev.sluice.samples.haboob.Haboob} is the graph, and each of its stages a class with the paper's name.
 *
 * <p>HttpParse begins with connections, and has the protocol handler of each parse what comes. A complete request is an
 * {@link dev.sluice.samples.web.Exchange}, which goes from stage to stage until one of them has described the reply; it
 * ends in HttpSend. Until then its connection does nothing, and only the stage that has it accesses it.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>A connection asks for each packet,</b> and only then receives. What a client sends ahead of its replies stays
 *     in the system and with the client, so no more than a packet of each connection is here, in queues or otherwise.
 * <li><b>A connection has one exchange.</b> So there are never more events in the graph than connections, and a queue
 *     with room for that many never refuses one.
 * <li><b>Pages are made of blocks of one size.</b> The paper recycles buffers instead of leaving them to the collector;
 *     with one size every block fits, so evicting as much as is missing always helps.
 * <li><b>What is being sent belongs to the page cache's memory, too,</b> also a page that was made for one request.
 *     Slow clients can keep pages there, and then misses are refused; they cannot make the server grow.
 * <li><b>A page is compared with its file by one request a second,</b> in CacheMiss, where waiting for the disk is
 *     allowed; the others go on with the page meanwhile.
 * <li><b>CacheMiss opens files by the site's own rules</b> about links and versions, and gives the file I/O stage the
 *     open file. A name that was checked here and opened there could mean another file by then.
 * <li><b>Uploads have a stage of their own,</b> which the paper does not need. The content of a PUT is written there,
 *     64 KiB at a time while it comes, and deleted if the rest does not come; the connection asks for no further packet
 *     meanwhile. In CacheMiss a write would keep a thread from those who only read.
 * <li><b>The bottleneck's cost is processor time.</b> With the clock's, twenty threads on one processor would get
 *     twenty times as much done.
 * </ul>
 */
package dev.sluice.samples.haboob;
