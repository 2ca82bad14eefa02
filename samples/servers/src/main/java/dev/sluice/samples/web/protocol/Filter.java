package dev.sluice.samples.web.protocol;

import dev.sluice.samples.io.TransferFilter;

/**
 * A filter of the {@link Pipeline}: it sees each reply after the {@link RequestHandler} and the filters before it, and
 * may make another one of it; or it goes {@linkplain TransferOnlyFilter with the reply} to the client. It does not
 * block, except that a {@linkplain #isSelection selection} may wait for the file system; one that is shared by several
 * pipelines is used by several threads.
 */
@FunctionalInterface
public interface Filter {

    /**
     * Works over a reply whose head is not written yet.
     *
     * @param request what was asked for; of one that is refused, as much as was understood
     * @param reply   the answer so far
     */
    void apply(Request request, Reply reply);

    /**
     * Looks at a complete request before what it asks for is searched.
     *
     * @param request what is asked for
     * @param reply   empty; becomes the answer if the filter answers the request itself
     * @return whether the request goes on; if not, the filter has answered it, as {@link Reply#answer(Status)} does; it
     *         goes on unless overridden
     */
    default boolean admit(Request request, Reply reply) {
        return true;
    }

    /**
     * {@return whether it selects among representations of what was found, and may wait for the file system as finding
     * it does; no, unless overridden}
     */
    default boolean isSelection() {
        return false;
    }

    /** {@return what goes with the reply to the client; null, unless overridden, for nothing} */
    default TransferFilter transfer() {
        return null;
    }
}
