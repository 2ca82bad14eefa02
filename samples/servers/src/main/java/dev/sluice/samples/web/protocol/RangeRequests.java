package dev.sluice.samples.web.protocol;

import dev.sluice.samples.web.files.FileEntry;
import java.util.List;

/** Sends the parts of a file that the request asks for (RFC 9110 section 14), after its conditions have been met. */
public final class RangeRequests implements Filter {

    private final HttpClock clock;

    /**
     * Creates the filter.
     *
     * @param clock the clock
     */
    public RangeRequests(HttpClock clock) {
        this.clock = clock;
    }

    @Override
    public void apply(Request request, Reply reply) {
        if (!reply.isFile()) {
            return;
        }
        FileEntry file = reply.entry();
        long size = file.stamp().size();
        // Section 14.2: of GET only.
        String value = request.method() == Method.GET ? request.field("range") : null;
        List<ByteRange> ranges = value == null || !Preconditions.rangeApplies(request, file.tag(),
                file.stamp().modifiedSecond(), clock.seconds()) ? null : ByteRanges.select(value, size);
        if (ranges == ByteRanges.UNSATISFIABLE) {
            reply.answer(Status.RANGE_NOT_SATISFIABLE);
            reply.field("Content-Range", "bytes */" + size);
            return;
        }
        reply.field("Accept-Ranges", "bytes");
        // A client could not know whether the coding of several parts is that of each one, or of all with their
        // delimiters.
        if (ranges != null && (ranges.size() == 1 || !reply.isCoded())) {
            reply.parts(ranges);
        }
    }
}
