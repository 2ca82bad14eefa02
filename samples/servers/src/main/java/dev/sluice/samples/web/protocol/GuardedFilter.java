package dev.sluice.samples.web.protocol;

import dev.sluice.samples.io.TransferFilter;
import dev.sluice.samples.io.TransferFilters;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A filter that has been found. If it throws, as it does if it {@linkplain Reply#field adds} what no head may have, or
 * leaves no reply, or neither answers a request nor lets it go on, the request is answered with 500, and the log names
 * the filter.
 */
public final class GuardedFilter implements Filter {

    private static final Logger LOG = LoggerFactory.getLogger(GuardedFilter.class);

    private final String name;
    private final Filter filter;
    private final TransferFilter transfer;

    /**
     * Guards a filter.
     *
     * @param kind   says in the log what it is
     * @param name   its name
     * @param filter the filter
     */
    public GuardedFilter(String kind, String name, Filter filter) {
        this.name = kind + " " + name;
        this.filter = Objects.requireNonNull(filter, "no filter");
        TransferFilter own = filter.transfer();
        this.transfer = own == null ? null : TransferFilters.guarded(name, own);
    }

    @Override
    public boolean admit(Request request, Reply reply) {
        try {
            boolean goesOn = filter.admit(request, reply);
            if (!goesOn && reply.status() == null) {
                fail(reply, new IllegalStateException("it has neither answered the request nor let it go on"));
            }
            return goesOn;
        } catch (RuntimeException | Error e) {
            fail(reply, e);
            return false;
        }
    }

    @Override
    public void apply(Request request, Reply reply) {
        try {
            filter.apply(request, reply);
            if (reply.status() == null) {
                fail(reply, new IllegalStateException("it has left no reply"));
            }
        } catch (RuntimeException | Error e) {
            fail(reply, e);
        }
    }

    /** Whatever there was of the reply is closed. */
    private void fail(Reply reply, Throwable cause) {
        LOG.warn("{} has failed: {}", name, cause.toString());
        reply.close();
        reply.answer(Status.INTERNAL_SERVER_ERROR);
    }

    @Override
    public TransferFilter transfer() {
        return transfer;
    }
}
