package dev.sluice.samples.web.protocol;

import dev.sluice.samples.web.files.FileEntry;

/** Sends a file only if it is in the version that the request's conditions allow (RFC 9110 section 13). */
public final class ConditionalRequests implements Filter {

    private final HttpClock clock;

    /**
     * Creates the filter.
     *
     * @param clock the clock
     */
    public ConditionalRequests(HttpClock clock) {
        this.clock = clock;
    }

    @Override
    public void apply(Request request, Reply reply) {
        if (!reply.isFile()) {
            return;
        }
        FileEntry file = reply.entry();
        Status status = Preconditions.evaluate(request, file.tag(), file.stamp().modifiedSecond(), clock.seconds());
        if (status == Status.PRECONDITION_FAILED) {
            reply.answer(status);
        } else if (status == Status.NOT_MODIFIED) {
            reply.notModified();
        }
    }
}
