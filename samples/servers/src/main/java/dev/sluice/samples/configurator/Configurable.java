package dev.sluice.samples.configurator;

import java.util.List;

/** A server that can be configured anew while it runs. For one thread. */
public interface Configurable {

    /**
     * Reads the configuration anew and puts it into force, all of it or nothing.
     *
     * @return what is in force from now on, in a line
     * @throws ConfigurationException if something is wrong; then nothing has changed
     */
    String reload() throws ConfigurationException;

    /** {@return what is in force, a line for each figure} */
    List<String> status();
}
