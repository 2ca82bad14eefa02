package dev.sluice.samples.web.protocol;

import dev.sluice.samples.io.TransferFilter;

/**
 * Filters a reply on its way to the client, and leaves it as it is before.
 *
 * @param transfer does that
 */
public record TransferOnlyFilter(TransferFilter transfer) implements Filter {

    @Override
    public void apply(Request request, Reply reply) {
        // Its turn comes later.
    }
}
