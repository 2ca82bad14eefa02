package dev.sluice.samples.haboob;

import dev.sluice.samples.stages.StagesHandler;
import dev.sluice.samples.web.Exchange;
import dev.sluice.samples.web.protocol.ContentCodings;
import dev.sluice.samples.web.protocol.Method;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.StageContext;
import java.util.HashMap;
import java.util.Map;

/**
 * The paper's HttpRecv: routes requests. Requests for files go to PageCache, uploads to Uploads, and dynamic pages to
 * their stages. All others are answered here, including the statistics of the server. A stage whose queue is full
 * rejects a request, and the client gets an error reply.
 */
final class HttpRecv extends ExchangeHandler {

    private final Map<String, String> stagesByPath;
    private final Map<String, EventQueue<Exchange>> queuesByPath = new HashMap<>();
    private EventQueue<PageCacheEvent> cache;
    private EventQueue<Object> uploads;

    /**
     * Creates an instance.
     *
     * @param pages        have memory for replies
     * @param stagesByPath names of the stages that make dynamic pages, by the paths of these pages
     */
    HttpRecv(Pages pages, Map<String, String> stagesByPath) {
        super(pages);
        this.stagesByPath = stagesByPath;
    }

    @Override
    public void handleStart(StageContext context) {
        super.handleStart(context);
        cache = context.queue(StageName.PAGE_CACHE, PageCacheEvent.class);
        uploads = context.queue(StageName.UPLOADS, Object.class);
        stagesByPath.forEach((path, stage) -> queuesByPath.put(path, context.queue(stage, Exchange.class)));
    }

    @Override
    void handle(Exchange exchange) {
        if (!exchange.pipeline().admit(exchange.request(), exchange.reply())) {
            answers().send(exchange);
            return;
        }
        String path = exchange.request().method().isServed() ? exchange.request().path() : null;
        EventQueue<Exchange> dynamic = path == null ? null : queuesByPath.get(path);
        EnqueueResult outcome;
        if (dynamic != null) {
            outcome = dynamic.enqueue(exchange);
        } else if (path != null && !StagesHandler.PATHS.contains(path)) {
            outcome = cache.enqueue(new PageRequest(exchange,
                    new PageKey(path, ContentCodings.preference(exchange.request()), exchange.pipeline())));
        } else if (exchange.request().method() == Method.PUT) {
            outcome = uploads.enqueue(exchange);
        } else {
            // Nothing of this waits for the file system.
            exchange.pipeline().find(exchange.request(), exchange.reply());
            answers().send(exchange);
            return;
        }
        if (outcome != EnqueueResult.ACCEPTED) {
            answers().busy(exchange);
        }
    }

    @Override
    public String toString() {
        return StageName.HTTP_RECV;
    }
}
