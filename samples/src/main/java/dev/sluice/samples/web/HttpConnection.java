package dev.sluice.samples.web;

import dev.sluice.samples.web.protocol.Reply;
import dev.sluice.samples.web.protocol.RequestParser;
import dev.sluice.samples.web.protocol.Status;
import java.io.Closeable;
import java.nio.ByteBuffer;

/**
 * One connection as HTTP sees it: receives requests and sends replies in turn, until somebody ends it or its time is
 * over. Whoever drives it does what {@link #next()} says, tells the outcome, and asks again; whether readiness or
 * completions drive the driver makes no difference here. For one thread.
 */
final class HttpConnection implements Closeable {

    /** What to do. */
    enum Next {
        /** Receive; tell {@link #received}, {@link #endOfStream()}, or {@link #nothingThere()}. */
        RECEIVE,
        /** Send of {@link #transmission()}; tell {@link #sent()} after each step. */
        SEND,
        /** Shut the output down; tell {@link #halfClosed()}. */
        HALF_CLOSE,
        /** Close, with nothing more to tell. */
        CLOSE
    }

    /** More than a socket's buffers hold on both sides: who still sends then does not mean to read the reply. */
    private static final long MOST_DRAINED = 16 << 20;

    private final WebService service;
    private final AccessLog.Lines log;
    private final String client;
    private final RequestParser parser;
    private final Transmission transmission = new Transmission();

    private Next next = Next.RECEIVE;
    private long deadline;
    private long requestDeadline;
    private boolean draining;
    private long drained;
    private boolean finishing;
    private boolean repliedLately;

    /**
     * Makes the connection's state.
     *
     * @param service what all connections share
     * @param log     of its loop; null for none
     * @param client  its name in the log
     */
    HttpConnection(WebService service, AccessLog.Lines log, String client) {
        this.service = service;
        this.log = log;
        this.client = client;
        this.parser = new RequestParser(service.limits());
        waitFor(Next.RECEIVE, service.timeouts().idle());
    }

    Next next() {
        return next;
    }

    /** {@return when to call {@link #expire()}, on the scale of {@link System#nanoTime()}} */
    long deadline() {
        return deadline;
    }

    /** {@return what to send} */
    Transmission transmission() {
        return transmission;
    }

    private void waitFor(Next what, long nanos) {
        next = what;
        deadline = System.nanoTime() + nanos;
    }

    /**
     * Octets have come.
     *
     * @param in the octets; what is not taken has to be offered again when something is to be received again, before
     *           whatever comes later
     */
    void received(ByteBuffer in) {
        if (draining) {
            drained += in.remaining();
            in.position(in.limit());
            if (drained > MOST_DRAINED) {
                next = Next.CLOSE;
            }
            return;
        }
        boolean begins = !parser.isInsideRequest();
        RequestParser.Progress progress = parser.parse(in);
        if (begins) {
            requestDeadline = System.nanoTime() + service.timeouts().request();
        }
        Reply reply = transmission.reply();
        switch (progress) {
            case MORE -> deadline = parser.isInsideRequest() ? requestDeadline : deadline;
            case CONTINUE -> {
                reply.continueRequest();
                startSending();
            }
            case COMPLETE -> {
                service.responder().respond(parser.request(), reply);
                startSending();
            }
            case REFUSED -> refuse(parser.refusal());
        }
    }

    private void refuse(Status why) {
        service.responder().refuse(why, parser.request(), transmission.reply());
        startSending();
    }

    private void startSending() {
        waitFor(Next.SEND, service.timeouts().idle());
    }

    /** The peer sends no more. Everything it sent has been answered, or cannot be. */
    void endOfStream() {
        next = Next.CLOSE;
    }

    /** There is nothing to receive just now. */
    void nothingThere() {
        if (finishing && !draining) {
            next = repliedLately ? Next.HALF_CLOSE : Next.CLOSE;
        }
    }

    /** Some of the transmission has been sent. */
    void sent() {
        if (transmission.goesOn()) {
            startSending();
            return;
        }
        boolean interim = transmission.reply().status() == null;
        boolean persistent = transmission.reply().isPersistent();
        endReply();
        repliedLately = finishing;
        if (interim) {
            next = Next.RECEIVE;
            deadline = requestDeadline;
        } else if (persistent) {
            waitFor(Next.RECEIVE, service.timeouts().idle());
        } else {
            next = Next.HALF_CLOSE;
        }
    }

    private void endReply() {
        Status status = transmission.reply().status();
        if (log != null && status != null) {
            log.add(client, parser.request().line(), status, transmission.bodySent());
        }
        transmission.end();
    }

    /** The peer has been told that nothing more comes; it may finish what it is sending. */
    void halfClosed() {
        draining = true;
        waitFor(Next.RECEIVE, Timeouts.DRAIN);
    }

    /** The deadline has passed: a request that is late gets its refusal, everything else ends at once. */
    void expire() {
        if (next == Next.RECEIVE && !draining && parser.isInsideRequest()) {
            refuse(Status.REQUEST_TIMEOUT);
        } else {
            next = Next.CLOSE;
        }
    }

    /** No new requests: what is here is answered, then it ends. */
    void finish() {
        finishing = true;
    }

    boolean isFinishing() {
        return finishing;
    }

    /** {@return whether what there is not yet to be received is worth waiting for} */
    boolean mayWait() {
        return !finishing || draining;
    }

    /** The connection is closed. A reply that did not get through is logged as far as it went. */
    @Override
    public void close() {
        next = Next.CLOSE;
        endReply();
    }
}
