package dev.sluice.samples.web.protocol;

import dev.sluice.samples.configurator.ServiceObject;

/** A service that looks at requests, and may answer them. */
public interface RequestService extends ServiceObject {

    /**
     * Looks at a complete request before what it asks for is searched. Does not block. Called by several threads at
     * once, while the service is not suspended; a request that has begun before is still offered.
     *
     * @param request what is asked for
     * @param reply   empty; becomes the answer if the service answers the request itself
     * @return whether the request goes on; if not, the service has answered it
     */
    boolean admit(Request request, Reply reply);
}
