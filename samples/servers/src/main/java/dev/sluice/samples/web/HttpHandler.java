package dev.sluice.samples.web;

import dev.sluice.samples.configurator.ServiceRepository;
import dev.sluice.samples.io.AccessLog;
import dev.sluice.samples.io.ProtocolHandler;
import dev.sluice.samples.web.protocol.ContentSink;
import dev.sluice.samples.web.protocol.Pipeline;
import dev.sluice.samples.web.protocol.Reply;
import dev.sluice.samples.web.protocol.Request;
import dev.sluice.samples.web.protocol.RequestParser;
import dev.sluice.samples.web.protocol.Status;
import java.nio.ByteBuffer;

/**
 * An HTTP connection. Each reply is sent before the next one is made, in the order of the requests. From its first
 * octet to the end of its reply, a request retains the service that was current when it began. What a {@link Responder}
 * takes is made elsewhere while the connection waits, if the driver can wait without a thread.
 */
final class HttpHandler extends ProtocolHandler implements Exchange {

    /** How many octets of content that is kept have to come in the time that a whole request may take otherwise. */
    private static final int CONTENT_PER_REQUEST_TIME = 64 * 1024;

    private final ServiceRepository<HttpService> services;
    private final AccessLog.Lines log;
    private final RequestParser parser;
    private final Reply reply;
    /** Null if all replies are made here, at once. */
    private final Responder responder;

    /** Null between requests. */
    private HttpService service;
    /** Whether the client has said that its request is the last one. */
    private boolean isLast;
    private long requestDeadline;
    private long contentExpected;
    /** Whether content is being stored elsewhere, and since when. */
    private boolean isStoring;
    private long storingSince;

    /**
     * Creates the connection's state.
     *
     * @param services answer its requests
     * @param log      takes a line for each reply; null for none
     * @param client   the client's address; null if it is not needed
     * @param responder makes the replies elsewhere; null if all are made here
     */
    HttpHandler(ServiceRepository<HttpService> services, AccessLog.Lines log, String client, Responder responder) {
        this(services, services.current(), log, client, responder, new Reply());
    }

    private HttpHandler(ServiceRepository<HttpService> services, HttpService first, AccessLog.Lines log,
                        String client, Responder responder, Reply reply) {
        super(first.terms().timeouts(), first.traffic(), first.pipeline().transfers(), reply);
        this.services = services;
        this.log = log;
        this.parser = new RequestParser(first.terms().limits(), first.sinks());
        this.reply = reply;
        this.responder = responder;
        parser.request().client(client);
    }

    @Override
    protected void take(ByteBuffer in) {
        boolean begins = !parser.isInsideRequest();
        if (service == null) {
            adopt(services.acquire());
        }
        RequestParser.Progress progress = parse(in);
        if (begins) {
            contentExpected = 0;
        }
        if (begins || parser.contentReceived() >= contentExpected) {
            // Large content takes its time, as long as it comes on.
            contentExpected = parser.contentReceived() + CONTENT_PER_REQUEST_TIME;
            requestDeadline = System.nanoTime() + timeouts().request();
        }
        // What comes nevertheless would reset the connection, and with it the reply, if it has been closed.
        isLast = progress == RequestParser.Progress.COMPLETE && !in.hasRemaining() && parser.isLast();
        advance(progress);
    }

    private RequestParser.Progress parse(ByteBuffer in) {
        RequestParser.Progress progress = parser.parse(in);
        while (progress == RequestParser.Progress.STORE && !storesElsewhere()) {
            parser.request().storeContent();
            progress = parser.parse(in);
        }
        return progress;
    }

    private boolean storesElsewhere() {
        return responder != null && mayAwaitMessage() && responder.stores();
    }

    private void advance(RequestParser.Progress progress) {
        switch (progress) {
            case MORE -> {
                if (parser.isInsideRequest()) {
                    receiveUntil(requestDeadline);
                }
            }
            case CONTINUE -> {
                reply.continueRequest();
                startSending();
            }
            case STORE -> {
                storingSince = System.nanoTime();
                isStoring = true;
                awaitMessage();
            }
            case COMPLETE -> {
                if (responder != null && mayAwaitMessage() && responder.takes(this)) {
                    awaitMessage();
                } else {
                    service.pipeline().respond(parser.request(), reply);
                    startSendingReply();
                }
            }
            case REFUSED -> refuse(parser.refusal());
        }
    }

    @Override
    protected void makeElsewhere() {
        if (isStoring) {
            responder.store(this);
        } else {
            responder.respond(this);
        }
    }

    /** What has been made elsewhere is a reply, or space for the rest of the content, which may have come already. */
    @Override
    protected void messageTaken() {
        if (isStoring) {
            isStoring = false;
            requestDeadline += System.nanoTime() - storingSince;
            receiveUntil(requestDeadline);
            take(ByteBuffer.allocate(0));
        } else {
            super.messageTaken();
        }
    }

    // The exchange

    @Override
    public Request request() {
        return parser.request();
    }

    @Override
    public Reply reply() {
        return reply;
    }

    @Override
    public Pipeline pipeline() {
        return service.pipeline();
    }

    @Override
    public boolean isPointless() {
        return isUnwanted();
    }

    @Override
    public void made() {
        messageMade();
    }

    // The transfer

    @Override
    public String client() {
        return parser.request().client();
    }

    @Override
    public String requestLine() {
        return parser.request().line();
    }

    @Override
    public int outcome() {
        return reply.status() == null ? 0 : reply.status().code();
    }

    @Override
    public AccessLog.Lines lines() {
        return log;
    }

    private void adopt(HttpService next) {
        service = next;
        adopt(next.terms().timeouts(), next.traffic(), next.pipeline().transfers());
        parser.adopt(next.terms().limits(), next.sinks());
    }

    private void startSendingReply() {
        if (isLast && !reply.isPersistent()) {
            startSendingLast();
        } else {
            startSending();
        }
    }

    private void refuse(Status why) {
        service.pipeline().refuse(why, parser.request(), reply);
        startSending();
    }

    @Override
    protected void messageSent() {
        boolean interim = reply.status() == null;
        boolean persistent = reply.isPersistent();
        endReply();
        if (interim) {
            receiveUntil(requestDeadline);
            return;
        }
        discardContent();
        leaveService();
        if (persistent) {
            receive(timeouts().idle());
        } else if (isLast) {
            endBoth();
        } else {
            endOutput();
        }
    }

    @Override
    protected void resumeReceiving(long paused) {
        requestDeadline += paused;
        if (parser.isInsideRequest()) {
            receiveUntil(requestDeadline);
        } else {
            super.resumeReceiving(paused);
        }
    }

    private void endReply() {
        if (reply.status() != null) {
            service.replied(bodySent());
            transferEnded();
        }
        endMessage();
    }

    private void discardContent() {
        ContentSink content = parser.request().releaseSink();
        if (content == null) {
            return;
        }
        if (storesElsewhere()) {
            responder.discard(content);
        } else {
            content.close();
        }
    }

    private void leaveService() {
        HttpService ended = service;
        service = null;
        if (ended != null) {
            ended.release();
        }
    }

    @Override
    protected boolean isBetweenRequests() {
        return service == null && !parser.isInsideRequest();
    }

    @Override
    protected boolean refuseLate() {
        if (!parser.isInsideRequest()) {
            return false;
        }
        refuse(Status.REQUEST_TIMEOUT);
        return true;
    }

    /** A reply that did not get through is logged as far as it went. */
    @Override
    protected void closed() {
        boolean retires = service == null;
        endReply();
        discardContent();
        parser.close();
        leaveService();
        if (retires) {
            reply.retire();
        }
    }
}
