package dev.sluice.samples.web;

import dev.sluice.samples.configurator.ConfiguredServices;
import dev.sluice.samples.io.ThreadCounts;
import dev.sluice.samples.server.LineDestination;
import java.io.IOException;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.ParameterException;

/** The options of a server of a web site, as far as they can be replaced while it runs. */
interface SiteConfiguration {

    /**
     * Checks options that depend on each other.
     *
     * @throws ParameterException if they contradict each other
     */
    void requireConsistent();

    /** {@return how many threads there are to be, where there are pools} */
    ThreadCounts threads();

    /**
     * {@return where the lines of the access log go, to be closed by the caller; null if there is to be none}
     *
     * @throws IOException if it cannot be opened
     */
    LineDestination openLogDestination() throws IOException;

    /**
     * {@return what the options say of the site}
     */
    SiteOptions site();

    /**
     * Opens what the options say of the service.
     *
     * @param generation its number
     * @param figures    of the server, for its status page
     * @param added      services that take part; owned by what is returned
     * @return the service, which the caller closes
     * @throws IOException if what an option names is not there, or cannot be read
     */
    HttpService openService(Generation generation, Supplier<Map<String, Object>> figures, ConfiguredServices added)
            throws IOException;
}
