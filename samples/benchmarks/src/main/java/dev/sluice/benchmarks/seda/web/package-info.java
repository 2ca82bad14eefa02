/** Web servers with up to 1024 clients, and how each of the clients fares: figure 12 of the paper. */
package dev.sluice.benchmarks.seda.web;
