/**
 * The pattern Service Configurator, as the JAWS paper has it for its caches, filters and strategies: what a server
 * answers with is composed again, from a file that has changed, while connections stay open.
 *
 * <p>A {@link dev.sluice.samples.configurator.ConfigurationFile} has options of the command line, of which each name,
 * default and check stands in the command alone: the file's lines are added to the arguments that the server was
 * started with, and a new command takes them all. The {@link dev.sluice.samples.configurator.ServiceConfigurator} waits
 * for SIGHUP and for clients, in a thread of its own, and the {@link dev.sluice.samples.configurator.ServiceRepository}
 * holds the current {@link dev.sluice.samples.configurator.Service} and those that requests still retain.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>A request keeps its service, a connection does not.</b> A connection may stay for hours, and would see none of
 *     what has changed; a request that changed sides in the middle would find its file in a cache that is closed.
 * <li><b>Everything is opened first.</b> Whatever can be wrong is found then, and nothing has changed.
 * <li><b>An option is in the file or on the command line.</b> If one took precedence, half of those who edit the file
 *     would wonder why nothing changes.
 * <li><b>A control connection has one line and one answer</b>, which ends with the connection: so any tool can be the
 *     client, and no client can occupy it for long. Of those that stay, the oldest is closed for a new one.
 * </ul>
 */
package dev.sluice.samples.configurator;
