package dev.sluice.samples.dns;

import java.util.List;

/**
 * The reply of a server to a question.
 *
 * @param code the response code
 * @param answers   the records that were asked for
 * @param authority the record of the zone's authority, where there are no others; empty or one
 */
record Reply(ResponseCode code, List<ResourceRecord> answers, List<ResourceRecord> authority) {

    static final Reply REFUSED = new Reply(ResponseCode.REFUSED, List.of(), List.of());
    static final Reply FAILED = new Reply(ResponseCode.SERVFAIL, List.of(), List.of());

    /** {@return whether this server is authoritative for the name} */
    boolean isAuthoritative() {
        return code == ResponseCode.NOERROR || code == ResponseCode.NXDOMAIN;
    }
}
