package dev.sluice.samples.web.protocol;

import dev.sluice.samples.io.TransferFilter;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A filter that has been found. If it throws, the request is answered with 500, and the log names the filter. */
public final class GuardedFilter implements Filter {

    private static final Logger LOG = LoggerFactory.getLogger(GuardedFilter.class);

    private final String name;
    private final Filter filter;

    /**
     * Guards a filter.
     *
     * @param name   says in the log what it is
     * @param filter the filter
     */
    public GuardedFilter(String name, Filter filter) {
        this.name = name;
        this.filter = Objects.requireNonNull(filter, "no filter");
    }

    @Override
    public boolean admit(Request request, Reply reply) {
        try {
            return filter.admit(request, reply);
        } catch (RuntimeException | Error e) {
            fail(reply, e);
            return false;
        }
    }

    @Override
    public void apply(Request request, Reply reply) {
        try {
            filter.apply(request, reply);
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
        return filter.transfer();
    }
}
