/**
 * The pattern Service Configurator, as the JAWS paper uses it for its caches, filters and strategies: the services of a
 * server are composed again from a changed file, while connections stay open.
 *
 * <p>A {@link dev.sluice.samples.configurator.ConfigurationFile} has options of the command line, whose names, defaults
 * and checks are defined by the command alone: the file's lines are added to the arguments that the server was started
 * with, and a new command parses all of them. The {@link dev.sluice.samples.configurator.ServiceConfigurator} waits for
 * SIGHUP and for clients, in a thread of its own, and the {@link dev.sluice.samples.configurator.ServiceRepository}
 * holds the current {@link dev.sluice.samples.configurator.Service} and those that requests still retain.
 *
 * <p>A {@link dev.sluice.samples.configurator.ServiceObject} is a service that is no part of the server: {@link
 * java.util.ServiceLoader} finds it, and the configuration names it with its options. It belongs to each service above
 * that was configured with it, and ends with the last of these.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>A request keeps its service, a connection does not.</b> A connection may last for hours, and would not see any
 * change; a request that changed its service in the middle would find its file in a closed cache.
 * <li><b>Everything is opened first.</b> So all problems are found before anything has changed.
 * <li><b>A service that replaces another one begins first.</b> Otherwise there would be neither if it cannot begin. So
 *     the two must not need the same port or the same file for themselves.
 * <li><b>An option is in the file or on the command line.</b> If one took precedence, users who edit the file would
 * wonder why nothing changes.
 * <li><b>A control connection has one line and one answer</b>, which ends with the connection: so any tool can be the
 *     client, and no client can occupy it for long. If too many stay open, the oldest is closed for a new one.
 * </ul>
 */
package dev.sluice.samples.configurator;
