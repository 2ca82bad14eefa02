package dev.sluice.samples.web.protocol;

import static dev.sluice.samples.web.protocol.HttpGrammar.CR;
import static dev.sluice.samples.web.protocol.HttpGrammar.LF;
import static dev.sluice.samples.web.protocol.HttpGrammar.SP;

import java.io.Closeable;
import java.nio.ByteBuffer;

/**
 * Cuts the octets of one connection into requests (RFC 9112), wherever the chunks they come in are cut. One per
 * connection, reused from request to request; not thread-safe.
 */
public final class RequestParser implements Closeable {

    /** What the octets fed so far amount to. */
    public enum Progress {
        /** All were taken, and more are needed. */
        MORE,
        /** The client waits for {@code 100 Continue} before it sends the content; feed the rest after that. */
        CONTINUE,
        /**
         * What takes the content has to {@link ContentSink#store()} first; feed the rest after that, even if there is
         * nothing left.
         */
        STORE,
        /** A request is complete. What remains in the chunk belongs to the next one. */
        COMPLETE,
        /**
         * The connection must end with a reply of {@link RequestParser#refusal()}. To let the client read it, the
         * server should half-close and go on receiving for a while (RFC 9112 section 9.6). Said once.
         */
        REFUSED
    }

    private enum State { REQUEST_LINE, FIELDS, HEAD_ENDED, CONTENT, COMPLETE, ENDED }

    private final Request request = new Request();
    private final RequestContent content = new RequestContent();
    private Limits limits;
    private ContentSinks sinks;

    private State state = State.REQUEST_LINE;
    private Status refusal;
    private int lineStart;
    private boolean afterCr;
    private boolean emptyLineSeen;

    /**
     * Creates a parser for a connection, which reads over all content.
     *
     * @param limits the limits on requests
     */
    public RequestParser(Limits limits) {
        this(limits, ContentSinks.NONE);
    }

    /**
     * Creates a parser for a connection.
     *
     * @param limits the limits on requests
     * @param sinks  take the content of some requests
     */
    public RequestParser(Limits limits, ContentSinks sinks) {
        adopt(limits, sinks);
    }

    /**
     * From the next request on, other terms hold. Not to be called while the parser {@link #isInsideRequest()}.
     *
     * @param maximum the limits on requests
     * @param takers  take the content of some requests
     */
    public void adopt(Limits maximum, ContentSinks takers) {
        limits = maximum;
        sinks = takers;
        content.droppedLimit(maximum.content());
    }

    /** {@return the request, once it is complete; of a refused one as much as was understood} */
    public Request request() {
        return request;
    }

    /** {@return why the request is refused, or null} */
    public Status refusal() {
        return refusal;
    }

    /** {@return how many octets a sink has taken of the request's content} */
    public long contentReceived() {
        return content.received();
    }

    /** {@return whether a part of a request has come, and its end has not: a client that should hurry} */
    public boolean isInsideRequest() {
        return switch (state) {
            case REQUEST_LINE -> request.length() > 0 || afterCr || emptyLineSeen;
            case FIELDS, HEAD_ENDED, CONTENT -> true;
            case COMPLETE, ENDED -> false;
        };
    }

    /**
     * Takes octets until a request is complete. After the last request of a connection the octets are dropped.
     *
     * @param in the octets
     * @return how far that leads
     */
    public Progress parse(ByteBuffer in) {
        while (true) {
            switch (state) {
                case REQUEST_LINE, FIELDS -> {
                    if (!readLine(in)) {
                        return refusal == null ? Progress.MORE : Progress.REFUSED;
                    }
                    Progress progress = state == State.FIELDS ? takeFieldLine() : takeRequestLine();
                    if (progress != Progress.MORE) {
                        return progress;
                    }
                    lineStart = request.length();
                }
                case HEAD_ENDED -> {
                    Progress progress = beginContent();
                    if (progress != Progress.MORE) {
                        return progress;
                    }
                }
                case CONTENT -> {
                    Status problem = content.read(in);
                    if (problem != null) {
                        return refuse(problem);
                    }
                    return content.isComplete() ? complete() : content.isWaiting() ? Progress.STORE : Progress.MORE;
                }
                case COMPLETE -> begin();
                case ENDED -> {
                    in.position(in.limit());
                    return Progress.MORE;
                }
            }
        }
    }

    private void begin() {
        request.clear();
        content.into(null);
        lineStart = 0;
        emptyLineSeen = false;
        state = State.REQUEST_LINE;
    }

    private Progress complete() {
        // RFC 9112 section 9.6: nothing after a request with "close" may be processed.
        state = request.isPersistent() ? State.COMPLETE : State.ENDED;
        return Progress.COMPLETE;
    }

    /** {@return whether the client has said that it sends nothing after the request, which has just been completed} */
    public boolean isLast() {
        return state == State.ENDED && content.isComplete() && !wantsToPersist();
    }

    private Progress refuse(Status why) {
        refusal = why;
        request.persistent(false);
        state = State.ENDED;
        return Progress.REFUSED;
    }

    /** Only CR LF ends a line: RFC 9112 section 2.2 forbids the bare CR, and permits to refuse the bare LF. */
    private boolean readLine(ByteBuffer in) {
        while (in.hasRemaining()) {
            byte octet = in.get();
            if (octet == LF && afterCr) {
                afterCr = false;
                return true;
            }
            if (octet == CR && !afterCr) {
                afterCr = true;
                continue;
            }
            if (afterCr || HttpGrammar.isControl(octet)) {
                refuse(Status.BAD_REQUEST);
                return false;
            }
            if (request.length() == (state == State.REQUEST_LINE ? limits.requestLine() : limits.head())) {
                refuse(tooLong());
                return false;
            }
            request.append(octet);
        }
        return false;
    }

    /** RFC 9112 section 3: a method longer than any is 501, a target longer than any is 414. */
    private Status tooLong() {
        if (state == State.FIELDS) {
            return Status.FIELDS_TOO_LARGE;
        }
        boolean inMethod = HttpGrammar.indexOf(request.octets(), SP, 0, request.length()) < 0;
        return inMethod ? Status.NOT_IMPLEMENTED : Status.URI_TOO_LONG;
    }

    private Progress takeRequestLine() {
        if (request.length() == 0 && !emptyLineSeen) {
            // RFC 9112 section 2.2 wants at least one ignored: old clients end content with a superfluous CR LF.
            emptyLineSeen = true;
            return Progress.MORE;
        }
        Status problem = RequestLine.parse(request);
        if (problem != null) {
            return refuse(problem);
        }
        state = State.FIELDS;
        return Progress.MORE;
    }

    private Progress takeFieldLine() {
        int end = request.length();
        if (lineStart == end) {
            return endHead();
        }
        if (request.fieldCount() == limits.fields()) {
            return refuse(Status.FIELDS_TOO_LARGE);
        }
        byte[] octets = request.octets();
        int colon = HttpGrammar.indexOf(octets, (byte) ':', lineStart, end);
        // RFC 9112 sections 5.1 and 5.2: no space before the colon, no folded lines. Neither is a token.
        if (colon < 0 || !HttpGrammar.isToken(octets, lineStart, colon)) {
            return refuse(Status.BAD_REQUEST);
        }
        int from = colon + 1;
        while (from < end && HttpGrammar.isBlank(octets[from])) {
            from++;
        }
        int to = end;
        while (to > from && HttpGrammar.isBlank(octets[to - 1])) {
            to--;
        }
        request.addField(lineStart, colon, from, to);
        return Progress.MORE;
    }

    private Progress endHead() {
        // RFC 9112 section 3.2: one Host, and only HTTP/1.0 may do without.
        int hosts = request.count("host");
        if (hosts > 1 || hosts == 0 && request.minorVersion() > 0 || hosts == 1 && !request.isHost("host")) {
            return refuse(Status.BAD_REQUEST);
        }
        ContentSink sink = sinks.open(request);
        request.sink(sink);
        state = State.HEAD_ENDED;
        return sink != null && sink.isWaiting() ? Progress.STORE : Progress.MORE;
    }

    private Progress beginContent() {
        ContentSink sink = request.sink();
        content.into(sink);
        Status problem = Framing.apply(request, content);
        if (problem != null) {
            return refuse(problem);
        }
        request.persistent(wantsToPersist());
        state = State.CONTENT;
        if (content.isComplete()) {
            return complete();
        }
        // RFC 9110 section 10.1.1: the expectation of an HTTP/1.0 client is none.
        if (request.minorVersion() == 0 || !HttpGrammar.lists(request.field("expect"), "100-continue")) {
            return Progress.MORE;
        }
        if (sink == null ? !request.method().isServed() : sink.refusal() != null) {
            // Answered without its content, which may follow or not: the next request could not be found.
            request.persistent(false);
            return complete();
        }
        return Progress.CONTINUE;
    }

    /** RFC 9112 section 9.3. */
    private boolean wantsToPersist() {
        String connection = request.field("connection");
        return !HttpGrammar.lists(connection, "close")
                && (request.minorVersion() > 0 || HttpGrammar.lists(connection, "keep-alive"));
    }

    /** Called when the connection has ended: releases an incomplete content. */
    @Override
    public void close() {
        state = State.ENDED;
        request.clear();
    }
}
