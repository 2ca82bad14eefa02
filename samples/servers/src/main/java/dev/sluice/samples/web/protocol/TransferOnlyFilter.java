package dev.sluice.samples.web.protocol;

import dev.sluice.samples.io.TransferFilter;

/**
 * Filters the transfer of a reply, and leaves its description unchanged.
 *
 * @param transfer does that
 */
public record TransferOnlyFilter(TransferFilter transfer) implements Filter {

    @Override
    public void apply(Request request, Reply reply) {
        // Its turn comes later.
    }
}
