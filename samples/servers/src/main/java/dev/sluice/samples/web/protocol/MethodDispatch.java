package dev.sluice.samples.web.protocol;

/** Dispatches each request to the handler of its method; answers OPTIONS itself (RFC 9110 section 9). */
public final class MethodDispatch implements RequestHandler {

    private final FileHandler files;
    private final PutHandler put;
    private final boolean traces;

    /**
     * Creates a handler of several.
     *
     * @param files  answers GET and HEAD
     * @param put    answers PUT; null if nothing may be replaced
     * @param traces whether TRACE is answered
     */
    public MethodDispatch(FileHandler files, PutHandler put, boolean traces) {
        this.files = files;
        this.put = put;
        this.traces = traces;
    }

    @Override
    public void handle(Request request, Reply reply) {
        switch (request.method()) {
            case GET, HEAD -> files.handle(request, reply);
            case OPTIONS -> options(request, reply);
            case TRACE -> {
                if (traces) {
                    Trace.answer(request, reply);
                } else {
                    reply.answer(Status.METHOD_NOT_ALLOWED);
                }
            }
            case PUT -> {
                if (put != null) {
                    put.handle(request, reply);
                } else {
                    reply.answer(Status.METHOD_NOT_ALLOWED);
                }
            }
            case UNKNOWN -> reply.answer(Status.NOT_IMPLEMENTED);
            default -> reply.answer(Status.METHOD_NOT_ALLOWED);
        }
        if (reply.status() == Status.METHOD_NOT_ALLOWED) {
            reply.field("Allow", allowed(request));
        }
    }

    @Override
    public boolean mayWait(Request request) {
        return switch (request.method()) {
            case GET, HEAD -> files.mayWait(request);
            case PUT -> put != null;
            default -> false;
        };
    }

    private void options(Request request, Reply reply) {
        // The asterisk asks for what there is anywhere.
        if (request.hasPath() && request.path() == null) {
            reply.answer(Status.BAD_REQUEST);
            return;
        }
        reply.answer(Status.NO_CONTENT);
        reply.field("Allow", allowed(request));
        reply.field("Accept-Ranges", "bytes");
    }

    private String allowed(Request request) {
        String path = request.hasPath() ? request.path() : null;
        boolean replaceable = put != null && (path == null ? !request.hasPath() : put.allows(path));
        return "GET, HEAD, OPTIONS" + (replaceable ? ", PUT" : "") + (traces ? ", TRACE" : "");
    }
}
