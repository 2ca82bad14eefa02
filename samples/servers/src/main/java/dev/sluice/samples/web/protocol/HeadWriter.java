package dev.sluice.samples.web.protocol;

import dev.sluice.samples.web.files.FileEntry;
import java.util.List;
import java.util.UUID;

/** The end of the pipeline: writes the head that a reply has come to, and readies its body. Thread-safe. */
final class HeadWriter {

    private final HttpClock clock;
    // Of 128 random bits, so that no file has it in it.
    private final String boundary = UUID.randomUUID().toString();

    HeadWriter(HttpClock clock) {
        this.clock = clock;
    }

    void write(Request request, Reply reply) {
        boolean persistent = request.isPersistent();
        ResponseHead head = reply.start(persistent).field("Date", clock.date()).field("Server", "Sluice");
        // RFC 9112 section 9.3: said only where it is not what the client's version implies.
        if (!persistent) {
            head.field("Connection", "close");
        } else if (request.minorVersion() == 0) {
            head.field("Connection", "keep-alive");
        }
        if (reply.status() == Status.NOT_MODIFIED) {
            // RFC 9110 section 15.4.5: only what a cache needs to find its copy.
            if (reply.entry() != null) {
                head.field("ETag", reply.entry().tag());
            }
            reply.endWithoutContent();
        } else if (reply.entry() == null) {
            page(request, reply, head);
        } else {
            file(request, reply, head);
        }
    }

    private static void page(Request request, Reply reply, ResponseHead head) {
        if (reply.status() == Status.NO_CONTENT) {
            // RFC 9110 section 8.6: without a length.
            reply.endWithoutContent();
            return;
        }
        boolean own = reply.hasPage();
        byte[] other = own ? null : reply.status().page();
        head.field("Content-Type", own ? reply.type() : ErrorPage.TYPE)
                .field("Content-Length", own ? reply.pageLength() : other.length);
        if (request.method() == Method.HEAD) {
            reply.endWithoutContent();
        } else if (own) {
            reply.endWithPage();
        } else {
            reply.endWithContent(other);
        }
    }

    private void file(Request request, Reply reply, ResponseHead head) {
        FileEntry file = reply.entry();
        long size = file.stamp().size();
        List<ByteRange> ranges = reply.ranges();
        // Parts of one range only would be wrong (RFC 9110 section 15.3.7.2).
        Multipart parts = ranges == null || ranges.size() == 1 ? null
                : new Multipart(ranges, boundary, reply.type(), size);
        long offset = ranges == null ? 0 : ranges.get(0).offset();
        long length = parts != null ? parts.length() : ranges == null ? size : ranges.get(0).length();
        head.field("Content-Type", parts == null ? reply.type() : parts.type())
                .field("Content-Length", length)
                // RFC 9110 section 8.8.2.1: never later than Date.
                .field("Last-Modified", HttpDate.format(Math.min(file.stamp().modifiedSecond(), clock.seconds())))
                .field("ETag", file.tag());
        if (parts != null) {
            reply.endWithParts(parts);
            return;
        }
        if (ranges != null) {
            head.contentRange(offset, length, size);
        }
        if (request.method() == Method.HEAD || length == 0) {
            reply.endWithoutContent();
        } else {
            reply.endWithFile(offset, length);
        }
    }
}
