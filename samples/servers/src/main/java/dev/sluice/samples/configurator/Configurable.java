package dev.sluice.samples.configurator;

import java.util.List;

/** A server whose configuration can be reloaded while it runs. For one thread. */
public interface Configurable {

    /**
     * Reloads the configuration and applies it, all of it or nothing.
     *
     * @return the configuration that is active from now on, in a line
     * @throws ConfigurationException if something is wrong; then nothing has changed
     */
    String reload() throws ConfigurationException;

    /** {@return the active configuration, a line for each figure} */
    List<String> status();
}
