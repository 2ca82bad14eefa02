package dev.sluice.samples.haboob;

import dev.sluice.samples.web.Exchange;
import dev.sluice.samples.web.protocol.ContentSink;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.StageContext;
import dev.sluice.stages.StageHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces files: writes their content as it is received, replaces the file when it is complete, and deletes incomplete
 * content. A stage of its own, since writing waits for the disk for longer than finding a file does. Its events are
 * content, complete requests, and uploads that have ended early.
 */
final class Uploads implements StageHandler<Object> {

    private static final Logger LOG = LoggerFactory.getLogger(Uploads.class);

    private final Pages pages;
    private Answers answers;

    Uploads(Pages pages) {
        this.pages = pages;
    }

    @Override
    public void handleStart(StageContext context) {
        answers = Answers.of(context, pages);
    }

    @Override
    public void handleEvents(EventBatch<Object> batch) {
        for (Object event = batch.next(); event != null; event = batch.next()) {
            if (event instanceof ContentToStore content) {
                content.store();
            } else if (event instanceof Exchange exchange) {
                replace(exchange);
            } else {
                ((ContentSink) event).close();
            }
        }
    }

    private void replace(Exchange exchange) {
        exchange.pipeline().find(exchange.request(), exchange.reply());
        // Even if it has failed: perhaps after the file had been replaced.
        pages.forget(exchange.request().path());
        answers.send(exchange);
    }

    @Override
    public void handleFailure(Object event, Throwable cause) {
        LOG.warn("{} has failed", this, cause);
        if (event instanceof Exchange exchange) {
            answers.failed(exchange);
        } else if (event instanceof ContentToStore content) {
            content.refuse();
        }
    }

    @Override
    public void handleDiscarded(Object event) {
        if (event instanceof Exchange exchange) {
            answers.busy(exchange);
        } else if (event instanceof ContentToStore content) {
            content.refuse();
        } else {
            ((ContentSink) event).close();
        }
    }

    @Override
    public String toString() {
        return StageName.UPLOADS;
    }
}
