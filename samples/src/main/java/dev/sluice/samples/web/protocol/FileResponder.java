package dev.sluice.samples.web.protocol;

import dev.sluice.samples.web.files.CachedFileSystem;
import dev.sluice.samples.web.files.FileEntry;
import dev.sluice.samples.web.files.NoFile;
import dev.sluice.samples.web.files.Resource;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers requests with files. Shared by all connections and threads. What the cache cannot serve waits for the file
 * system, but nothing here waits for a client.
 */
public final class FileResponder {

    private static final Logger LOG = LoggerFactory.getLogger(FileResponder.class);

    private record Second(long number, byte[] date) { }

    private final CachedFileSystem files;
    private final Clock clock;
    // Of 128 random bits, so that no file has it in it.
    private final String boundary = UUID.randomUUID().toString();
    private volatile Second second = new Second(0, HttpDate.format(0));

    /**
     * Makes a responder.
     *
     * @param files where the files are
     * @param clock what time it is
     */
    public FileResponder(CachedFileSystem files, Clock clock) {
        this.files = files;
        this.clock = clock;
    }

    /**
     * Answers a complete request.
     *
     * @param request the request; the reply keeps nothing of it
     * @param reply   becomes the answer; whatever it was before is closed
     */
    public void respond(Request request, Reply reply) {
        reply.close();
        if (!request.method().isServed()) {
            boolean known = request.method() != Method.UNKNOWN;
            page(known ? Status.METHOD_NOT_ALLOWED : Status.NOT_IMPLEMENTED, request, reply);
            return;
        }
        String path = request.path();
        Resource found;
        try {
            found = path == null ? NoFile.ABSENT : files.lookup(path);
        } catch (IOException e) {
            LOG.warn("{}: {}", path, e.toString());
            page(Status.SERVICE_UNAVAILABLE, request, reply);
            return;
        }
        if (found instanceof FileEntry file) {
            reply.hold(file);
            file(file, request, reply);
        } else if (found == NoFile.DIRECTORY) {
            // Made from the normalised path: "//host/dir" as it came would lead to another server.
            start(Status.MOVED_PERMANENTLY, request, reply)
                    .field("Location", TargetPath.encode(path) + "/" + request.query());
            endWithPage(request, reply);
        } else {
            page(path == null ? Status.BAD_REQUEST : Status.NOT_FOUND, request, reply);
        }
    }

    /**
     * Refuses a request that will not be answered otherwise: {@link RequestParser#refusal()}, or
     * {@link Status#REQUEST_TIMEOUT}. The connection ends with it.
     *
     * @param status  why
     * @param request as much of it as was understood
     * @param reply   becomes the refusal; whatever it was before is closed
     */
    public void refuse(Status status, Request request, Reply reply) {
        reply.close();
        request.persistent(false);
        page(status, request, reply);
    }

    private void file(FileEntry file, Request request, Reply reply) {
        long now = now().number;
        long size = file.stamp().size();
        long modified = file.stamp().modifiedSecond();
        Status status = Preconditions.evaluate(request, file.tag(), modified, now);
        if (status == Status.PRECONDITION_FAILED) {
            page(status, request, reply);
            return;
        }
        if (status == Status.NOT_MODIFIED) {
            // RFC 9110 section 15.4.5: only what a cache needs to find its copy.
            start(status, request, reply).field("ETag", file.tag());
            reply.endWithoutContent();
            return;
        }
        List<ByteRange> ranges = ranges(file, request, modified, now);
        if (ranges == ByteRanges.UNSATISFIABLE) {
            start(Status.RANGE_NOT_SATISFIABLE, request, reply).contentRange(0, 0, size);
            endWithPage(request, reply);
            return;
        }
        // Parts of one range only would be wrong (RFC 9110 section 15.3.7.2).
        Multipart parts = ranges == null || ranges.size() == 1 ? null
                : new Multipart(ranges, boundary, file.type(), size);
        ByteRange range = ranges == null ? new ByteRange(0, size) : ranges.get(0);
        long length = range.length();
        ResponseHead head = start(ranges == null ? Status.OK : Status.PARTIAL_CONTENT, request, reply)
                .field("Content-Type", parts == null ? file.type() : parts.type())
                .field("Content-Length", parts == null ? length : parts.length())
                // RFC 9110 section 8.8.2.1: never later than Date.
                .field("Last-Modified", HttpDate.format(Math.min(modified, now)))
                .field("ETag", file.tag())
                .field("Accept-Ranges", "bytes");
        if (parts != null) {
            reply.endWithParts(parts);
            return;
        }
        if (ranges != null) {
            head.contentRange(range.offset(), length, size);
        }
        if (request.method() == Method.HEAD || length == 0) {
            reply.endWithoutContent();
        } else {
            reply.endWithFile(range.offset(), length);
        }
    }

    private static List<ByteRange> ranges(FileEntry file, Request request, long modified, long now) {
        String value = request.method() == Method.GET ? request.field("range") : null;
        return value != null && Preconditions.rangeApplies(request, file.tag(), modified, now)
                ? ByteRanges.select(value, file.stamp().size()) : null;
    }

    private void page(Status status, Request request, Reply reply) {
        ResponseHead head = start(status, request, reply);
        if (status == Status.METHOD_NOT_ALLOWED) {
            head.field("Allow", Method.ALLOWED);
        }
        endWithPage(request, reply);
    }

    private static void endWithPage(Request request, Reply reply) {
        byte[] page = reply.status().page();
        reply.builder().field("Content-Type", ErrorPage.TYPE).field("Content-Length", page.length);
        if (request.method() == Method.HEAD) {
            reply.endWithoutContent();
        } else {
            reply.endWithContent(page);
        }
    }

    private ResponseHead start(Status status, Request request, Reply reply) {
        boolean persistent = request.isPersistent();
        ResponseHead head = reply.start(status, persistent).field("Date", now().date).field("Server", "Sluice");
        // RFC 9112 section 9.3: said only where it is not what the client's version implies.
        if (!persistent) {
            head.field("Connection", "close");
        } else if (request.minorVersion() == 0) {
            head.field("Connection", "keep-alive");
        }
        return head;
    }

    /** The date is written anew once a second. Two threads may both do it, to the same end. */
    private Second now() {
        long number = Math.floorDiv(clock.millis(), 1000L);
        Second current = second;
        if (current.number != number) {
            current = new Second(number, HttpDate.format(number));
            second = current;
        }
        return current;
    }
}
