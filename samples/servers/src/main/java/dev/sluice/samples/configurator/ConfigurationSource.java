package dev.sluice.samples.configurator;

/**
 * Reads a server's options, again at each call.
 *
 * @param <T> the command whose options they are
 */
@FunctionalInterface
public interface ConfigurationSource<T> {

    /**
     * Reads the options.
     *
     * @return options, each of which can be taken by itself
     * @throws ConfigurationException if they cannot be read, or something is wrong with one of them
     */
    Options<T> read() throws ConfigurationException;
}
