/** Web servers that send files. */
package dev.sluice.benchmarks.web;
