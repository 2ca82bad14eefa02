package dev.sluice.samples.haboob;

import dev.sluice.samples.web.Exchange;
import dev.sluice.samples.web.protocol.Status;

/**
 * Content of a request that is not complete, which Uploads stores.
 *
 * @param exchange goes on receiving when that is done
 */
record ContentToStore(Exchange exchange) {

    void store() {
        exchange.request().storeContent();
        exchange.made();
    }

    /** There is too much to do. */
    void refuse() {
        exchange.request().refuseContent(Status.SERVICE_UNAVAILABLE);
        exchange.made();
    }
}
