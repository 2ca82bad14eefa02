package dev.sluice.samples.haboob;

import dev.sluice.proactor.Proactor;
import dev.sluice.samples.io.AccessLog;
import dev.sluice.samples.io.StagedLoop;
import dev.sluice.samples.server.Connections;
import dev.sluice.samples.web.Exchange;
import dev.sluice.samples.web.ServedSite;
import dev.sluice.stages.Stage;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageOptions;
import dev.sluice.stages.StopReport;
import dev.sluice.stages.io.AsyncServerSocket;
import dev.sluice.stages.io.FileStage;
import dev.sluice.stages.io.SocketEvent;
import dev.sluice.stages.io.SocketOptions;
import dev.sluice.stages.io.SocketStages;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The graph of the server, as in the paper's figure 5. A connection has one request in it at a time, so queues with
 * space for the requests of all connections never reject one; only the bottleneck does, if it sheds load.
 */
final class Haboob implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(Haboob.class);
    /** Time for remaining events after the time of the connections. */
    private static final Duration LAST = Duration.ofSeconds(1);

    /**
     * Buffer for what a client sends ahead, in octets: requests are short, and what is received before it is processed
     * has to be retained.
     */
    private static final int RECEIVE_BUFFER = 16 * 1024;
    /**
     * Making a page may take long. A request behind another in a batch can be neither discarded nor taken by another
     * thread, and the throughput of the stage is known only when a batch has ended.
     */
    private static final int PAGES_AT_A_TIME = 1;
    /** The number of octets that a connection retains of requests that wait to be served. */
    private static final int PACKET = 4 * 1024;

    /** The number of events for the results of a connection's sends, besides its reply. */
    private static final int RESULTS = 3;

    private final StageGraph graph;
    private final PageThreads pageThreads;
    private final AsyncServerSocket listening;
    private final StagedLoop connections;

    /**
     * The settings of the server.
     *
     * @param boundaries  which stages are thread boundaries
     * @param connections how many there are at most
     * @param shedding    how the bottleneck refuses requests
     * @param target      for its response time
     * @param shedFirst   the query of requests for the bottleneck that are refused first; null for none
     * @param order       of long replies
     * @param pageThreads of the bottleneck
     */
    record Shape(StageBoundaries boundaries, int connections, Shedding shedding, Duration target, String shedFirst,
            ReplyOrder order, PageThreads pageThreads) {
    }

    /**
     * Adds the stages to a graph, listens, and starts it.
     *
     * @param graph      is empty; owned by this object from now on
     * @param shape      the settings
     * @param address    to listen on
     * @param site       the site
     * @param pages      the page cache
     * @param log        of the requests; null for none
     * @param proactor   for the sockets; the caller runs it until this has been closed
     * @param open       the connections of the proactor
     * @param bottleneck a page with a stage of its own
     * @param dynamic    pages with another one
     * @throws IOException if it cannot listen
     */
    Haboob(StageGraph graph, Shape shape, SocketAddress address, ServedSite site, Pages pages, AccessLog log,
           Proactor proactor, Connections open, DynamicPage bottleneck, List<DynamicPage> dynamic) throws IOException {
        this.graph = graph;
        this.pageThreads = shape.pageThreads();
        int requests = shape.connections();
        SocketStages sockets = new SocketStages(graph, StageName.SOCKETS, proactor,
                new SocketOptions().connections(requests).receiveBuffer(RECEIVE_BUFFER).receiveOnDemand(PACKET));
        // One for each request, and one whose close is under way while its connection opens the next.
        FileStage files = FileStage.blocking(graph, StageName.FILE_IO, 2 * requests);
        HttpParse parse = new HttpParse(pages);
        HttpSend send = new HttpSend();
        Stage<SocketEvent> parsing = graph.add(StageName.HTTP_PARSE, SocketEvent.class, parse,
                shape.boundaries().options(requests));
        graph.add(StageName.HTTP_RECV, Exchange.class, new HttpRecv(pages, paths(bottleneck, dynamic)),
                shape.boundaries().options(requests));
        // Requests, and as many reads that have ended.
        graph.add(StageName.PAGE_CACHE, PageCacheEvent.class, new PageCache(pages),
                shape.boundaries().options(2 * requests));
        // Requests, and as many reads that have ended.
        graph.add(StageName.CACHE_MISS, Object.class, new CacheMiss(pages, files),
                StageBoundaries.threads(2 * requests));
        // Requests, and as many uploads whose clients have left.
        graph.add(StageName.UPLOADS, Object.class, new Uploads(pages), StageBoundaries.threads(2 * requests));
        Stage<Object> sending = graph.add(StageName.HTTP_SEND, Object.class, send,
                shape.boundaries().options((1 + RESULTS) * requests));
        StageOptions<Exchange> shed = shape.pageThreads().<Exchange>options(requests).batch(PAGES_AT_A_TIME);
        if (shape.shedFirst() != null) {
            String query = "?" + shape.shedFirst();
            shed.rejectFirst(exchange -> query.equals(exchange.request().query()));
        }
        shape.shedding().apply(shed, shape.target(), requests);
        graph.add(StageName.BOTTLENECK, Exchange.class,
                new DynamicPages(StageName.BOTTLENECK, pages, List.of(bottleneck)), shed);
        graph.add(StageName.DYNAMIC_PAGES, Exchange.class,
                new DynamicPages(StageName.DYNAMIC_PAGES, pages, dynamic),
                StageBoundaries.<Exchange>threads(requests).batch(PAGES_AT_A_TIME));
        connections = new StagedLoop(site.protocol(HaboobCommand.NAME, parse), log, open, proactor, files,
                sending.queue(), shape.order() == ReplyOrder.SIZE);
        parse.serve(connections, parsing.queue());
        send.serve(connections);
        listening = new AsyncServerSocket(sockets, address, parsing.queue());
        try {
            graph.start();
        } catch (Throwable e) {
            listening.close();
            pageThreads.close();
            throw e;
        }
    }

    private static Map<String, String> paths(DynamicPage bottleneck, List<DynamicPage> dynamic) {
        Map<String, String> paths = new HashMap<>();
        dynamic.forEach(page -> paths.put(page.path(), StageName.DYNAMIC_PAGES));
        paths.put(bottleneck.path(), StageName.BOTTLENECK);
        return paths;
    }

    /** {@return the socket that accepts connections, until it is closed} */
    AsyncServerSocket listening() {
        return listening;
    }

    /** Stops the graph. The connections have had their time before. */
    @Override
    public void close() {
        listening.close();
        StopReport report = graph.stop(LAST);
        if (!report.isDrained()) {
            LOG.warn("the stages were stopped before they were drained: {}", report);
        }
        pageThreads.close();
        connections.abandon();
    }
}
