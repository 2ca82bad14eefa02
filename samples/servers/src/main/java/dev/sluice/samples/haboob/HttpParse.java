package dev.sluice.samples.haboob;

import dev.sluice.samples.io.StagedLoop;
import dev.sluice.samples.web.Exchange;
import dev.sluice.samples.web.Responder;
import dev.sluice.samples.web.protocol.ContentSink;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.StageContext;
import dev.sluice.stages.StageHandler;
import dev.sluice.stages.io.AsyncConnection;
import dev.sluice.stages.io.SocketEvent;

/**
 * The paper's HttpParse: handles new connections, and parses the octets received on them. Complete requests go to
 * HttpRecv, and content that has to be stored to Uploads, which may wait for the disk. An exclusive handler, so that
 * the events of a connection stay in order.
 */
final class HttpParse implements StageHandler<SocketEvent>, Responder {

    private final Pages pages;
    private StagedLoop connections;
    private EventQueue<SocketEvent> own;
    private EventQueue<Exchange> receive;
    private EventQueue<Object> uploads;
    private Answers answers;

    HttpParse(Pages pages) {
        this.pages = pages;
    }

    /** Called before the graph is started. */
    void serve(StagedLoop loop, EventQueue<SocketEvent> queue) {
        connections = loop;
        own = queue;
    }

    @Override
    public void handleStart(StageContext context) {
        receive = context.queue(StageName.HTTP_RECV, Exchange.class);
        uploads = context.queue(StageName.UPLOADS, Object.class);
        answers = Answers.of(context, pages);
    }

    @Override
    public void handleEvents(EventBatch<SocketEvent> batch) {
        for (SocketEvent event = batch.next(); event != null; event = batch.next()) {
            if (event instanceof AsyncConnection connection) {
                connections.open(connection, own);
            } else {
                connections.handle(event);
            }
        }
    }

    @Override
    public void respond(Exchange exchange) {
        if (receive.enqueue(exchange) != EnqueueResult.ACCEPTED) {
            answers.busy(exchange);
        }
    }

    @Override
    public boolean stores() {
        return true;
    }

    @Override
    public void store(Exchange exchange) {
        ContentToStore content = new ContentToStore(exchange);
        if (uploads.enqueue(content) != EnqueueResult.ACCEPTED) {
            content.refuse();
        }
    }

    /** Only a stage that has ended, or a disk that does not answer, makes this thread wait for the file system. */
    @Override
    public void discard(ContentSink content) {
        if (uploads.enqueue(content) != EnqueueResult.ACCEPTED) {
            content.close();
        }
    }

    @Override
    public boolean isExclusive() {
        return true;
    }

    @Override
    public String toString() {
        return StageName.HTTP_PARSE;
    }
}
