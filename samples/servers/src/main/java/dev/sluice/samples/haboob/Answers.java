package dev.sluice.samples.haboob;

import dev.sluice.samples.web.Exchange;
import dev.sluice.samples.web.protocol.Status;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.StageContext;

/**
 * Ends an exchange, for the stage that has made its reply: passes it to HttpSend, with a head. Octets of this reply
 * alone are moved to the memory of the page cache, which bounds the replies that clients do not read. For all threads.
 */
final class Answers {

    /** When a client that was refused may try again, in seconds. */
    private static final int RETRY_AFTER = 1;

    private final EventQueue<Object> send;

    private final Pages pages;

    private Answers(EventQueue<Object> send, Pages pages) {
        this.send = send;
        this.pages = pages;
    }

    /** {@return the way from a stage to HttpSend} */
    static Answers of(StageContext stage, Pages pages) {
        return new Answers(stage.queue(StageName.HTTP_SEND, Object.class), pages);
    }

    /** Sends a complete reply. */
    void send(Exchange exchange) {
        if (pages.takeIn(exchange.reply())) {
            complete(exchange);
        } else {
            busy(exchange);
        }
    }

    private void complete(Exchange exchange) {
        exchange.pipeline().complete(exchange.request(), exchange.reply());
        if (send.enqueue(exchange) != EnqueueResult.ACCEPTED) {
            // There is no room for it, or the stage has ended; a reply must not be lost for that.
            exchange.made();
        }
    }

    /** Answers that the server is overloaded; the client may try again. */
    void busy(Exchange exchange) {
        exchange.reply().close();
        exchange.reply().busy(RETRY_AFTER);
        complete(exchange);
    }

    /** Answers that the request has failed; the failure is in the server's log. */
    void failed(Exchange exchange) {
        exchange.reply().close();
        exchange.reply().answer(Status.SERVICE_UNAVAILABLE);
        complete(exchange);
    }
}
