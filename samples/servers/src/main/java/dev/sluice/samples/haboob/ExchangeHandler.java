package dev.sluice.samples.haboob;

import dev.sluice.samples.web.Exchange;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.StageContext;
import dev.sluice.stages.StageHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A stage in which each request is answered, even if it fails, is shed while it waits, or its client has left. */
abstract class ExchangeHandler implements StageHandler<Exchange> {

    private static final Logger LOG = LoggerFactory.getLogger(ExchangeHandler.class);

    private final Pages pages;
    private Answers answers;

    /** Creates a handler, whose replies take their memory from the page cache. */
    ExchangeHandler(Pages pages) {
        this.pages = pages;
    }

    /** Answers the request by {@link #answers()}, or passes it to another stage. */
    abstract void handle(Exchange exchange) throws Exception;

    final Answers answers() {
        return answers;
    }

    @Override
    public void handleStart(StageContext context) {
        answers = Answers.of(context, pages);
    }

    @Override
    public final void handleEvents(EventBatch<Exchange> batch) throws Exception {
        for (Exchange exchange = batch.next(); exchange != null; exchange = batch.next()) {
            if (exchange.isPointless()) {
                exchange.made();
            } else {
                handle(exchange);
            }
        }
    }

    @Override
    public final void handleFailure(Exchange exchange, Throwable cause) {
        LOG.warn("{} has failed", this, cause);
        if (exchange != null) {
            answers.failed(exchange);
        }
    }

    @Override
    public final void handleDiscarded(Exchange exchange) {
        answers.busy(exchange);
    }
}
