package dev.sluice.samples.configurator;

import java.util.Map;

/**
 * The Service of Jain's and Schmidt's Service Configurator: a part of a server that is configured by its name while the
 * server runs, found by {@link java.util.ServiceLoader}. Each {@link #init} is of an object of its own. The hooks are
 * called by one thread at a time. One that does not return in time has failed, and its thread is interrupted; no other
 * hook of this object is called before it has returned. So a hook must not wait for the configuration that calls it,
 * such as for an answer at the control address.
 */
public interface ServiceObject {

    /** {@return the name that a configuration calls it by: without a blank, a comma or an equals sign} */
    String name();

    /**
     * The service begins. If it has replaced an earlier one of its name, that one still serves its last requests.
     *
     * @param options from the configuration, by their names, in their order
     * @throws Exception if it cannot; its message is shown, and everything stays as it was. If it returns too late,
     *                   {@link #fini} is called at once.
     */
    void init(Map<String, String> options) throws Exception;

    /**
     * Takes part in nothing until {@link #resume()}, but keeps what it has. Does nothing, unless overridden.
     *
     * @throws Exception if it cannot; it goes on then
     */
    default void suspend() throws Exception {
        // It is not called meanwhile, which suffices as a rule.
    }

    /**
     * Goes on after {@link #suspend()}. Does nothing, unless overridden.
     *
     * @throws Exception if it cannot; it stays suspended then
     */
    default void resume() throws Exception {
        // As after suspend().
    }

    /**
     * The service ends, when no request uses it any more. Called once, after {@link #init} has succeeded.
     *
     * @throws Exception if it fails, which is logged
     */
    void fini() throws Exception;

    /** {@return what there is to say of it, in a line; nothing, unless overridden} May be called by any thread. */
    default String info() {
        return "";
    }
}
