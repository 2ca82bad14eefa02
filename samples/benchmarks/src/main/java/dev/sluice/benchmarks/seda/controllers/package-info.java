/** Stages whose own controllers work against each other, beside a controller that sees the whole graph. */
package dev.sluice.benchmarks.seda.controllers;
