/**
 * The Acceptor-Connector pattern on a Reactor: establishing connections apart from what is done over them.
 *
 * <p>A {@link dev.sluice.connection.ServiceHandler} is one service on one connection. An {@link
 * dev.sluice.connection.Acceptor} makes one for each connection that comes in, a {@link
 * dev.sluice.connection.Connector} gives an existing one a connection that goes out. Both call {@link
 * dev.sluice.connection.ServiceHandler#open()} when the connection stands, and then have nothing more to do with it.
 */
package dev.sluice.connection;
