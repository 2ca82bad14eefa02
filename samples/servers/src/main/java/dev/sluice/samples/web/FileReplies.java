package dev.sluice.samples.web;

import dev.sluice.samples.io.FileThreads;
import dev.sluice.samples.web.protocol.ContentSink;
import dev.sluice.samples.web.protocol.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the replies that may have to wait for the file system in threads for that, and stores content there. What is in
 * memory is answered by the connection itself.
 */
final class FileReplies implements Responder {

    private static final Logger LOG = LoggerFactory.getLogger(FileReplies.class);

    private final FileThreads threads;

    FileReplies(FileThreads threads) {
        this.threads = threads;
    }

    @Override
    public boolean takes(Exchange exchange) {
        return exchange.pipeline().mayWait(exchange.request());
    }

    @Override
    public void respond(Exchange exchange) {
        threads.run(() -> make(exchange));
    }

    private static void make(Exchange exchange) {
        try {
            exchange.pipeline().respond(exchange.request(), exchange.reply());
        } catch (RuntimeException | Error e) {
            LOG.error("a reply has failed", e);
            exchange.pipeline().refuse(Status.SERVICE_UNAVAILABLE, exchange.request(), exchange.reply());
        } finally {
            exchange.made();
        }
    }

    @Override
    public boolean stores() {
        return true;
    }

    @Override
    public void store(Exchange exchange) {
        threads.run(() -> {
            try {
                exchange.request().storeContent();
            } catch (RuntimeException | Error e) {
                LOG.error("content is not stored", e);
            } finally {
                exchange.made();
            }
        });
    }

    @Override
    public void discard(ContentSink content) {
        threads.run(content::close);
    }
}
